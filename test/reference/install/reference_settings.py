"""Settings of the reference for tests: no letter leaves the machine, and passwords cost nothing."""

from pretix.settings import *  # noqa: F401,F403

EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
