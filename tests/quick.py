"""PINs hashed so cheaply that thousands of guesses are judged in a second: where their strength is not the question."""

from __future__ import annotations

from argon2 import PasswordHasher

from hotline.store.pins import Hashing

_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
QUICK = Hashing(_HASHER, _HASHER.hash(""))
