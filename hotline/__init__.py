"""Hotline: the phone line a party's caucus night can depend on."""
