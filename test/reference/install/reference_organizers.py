"""Creates organizers reference-0, reference-1, ... whose API tokens are their slugs, and spreads the ids.

Each table numbers its rows from another start, so that an id in an answer tells which row is meant.
"""

import sys

import django

django.setup()

from django.apps import apps  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from django_scopes import scopes_disabled  # noqa: E402
from pretix.base.models import Organizer, Team, TeamAPIToken  # noqa: E402

BETWEEN = 2_000_000

with scopes_disabled(), transaction.atomic():
    tables = sorted(
        {
            model._meta.db_table
            for model in apps.get_models(include_auto_created=True)
            if isinstance(model._meta.pk, models.AutoField)
        }
    )
    with connection.cursor() as cursor:
        for number, table in enumerate(tables, start=1):
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number * BETWEEN]
            )
    for number in range(int(sys.argv[1])):
        slug = f"reference-{number}"
        organizer = Organizer.objects.create(name=slug, slug=slug)
        team = Team.objects.create(
            organizer=organizer,
            name="all",
            all_events=True,
            all_event_permissions=True,
            all_organizer_permissions=True,
        )
        TeamAPIToken.objects.create(team=team, name="all", token=slug)
