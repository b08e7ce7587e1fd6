"""How the tables came to be, one revision after another. Run by `hotline.store.migrate`.

Expand, then contract. A release is changed, and changed back, while calls go on, so the database is migrated first and
the release before must go on working on it beside the new one:

1. A migration only adds: tables, indexes, columns that may be empty or have a default, triggers on what is new.
2. It never drops or renames a table or column, changes a column's type, or makes one required that was not.
3. What a release no longer uses goes in a later one, when no release that uses it can come back: a migration of its
   own, listed with its reason in `tests/store/test_migrations.py`, which refuses any other.
4. A value that moves is written to both places by one release, read from the new one by the next, and goes by rule 3.
5. The ledger is not rewritten by a migration either: events are never changed or removed.

Migrations run one at a time, in a transaction each process waits for (`migrate`), signed in as the owner; a new table
is listed in `hotline.store.privileges`.
"""
