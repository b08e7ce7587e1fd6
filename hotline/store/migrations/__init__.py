"""How the tables came to be, one revision after another. Run by `hotline.store.migrate`."""
