"""The audit: who did what, when and why, and the same as a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, request

from hotline.events.kinds import kind_of, to_body
from hotline.store.audit import Act, Sought
from hotline.web.access import for_staff
from hotline.web.console.pages import AUDITORS, page
from hotline.web.console.words import told
from hotline.web.doors import doors

audit = Blueprint("audit", __name__)

ON_A_PAGE = 100
COLUMNS = ("seq", "at", "by", "address", "kind", "precinct", "call", "told", "body")


@audit.get("/staff/audit")
@for_staff(*AUDITORS)
def acts() -> Response:
    """The newest acts, and the older ones page by page."""
    found = doors().line.audit.page(_sought(), ON_A_PAGE)
    asked = {name: request.args.get(name, "").strip() for name in ("by", "kind", "precinct")}
    older = found[-1].recorded.seq if len(found) == ON_A_PAGE else 0
    return page("console/audit.html", acts=found, asked=asked, older=older, kind_of=kind_of)


@audit.get("/staff/audit.csv")
@for_staff(*AUDITORS)
def as_csv() -> Response:
    """Every act that is meant, as a table. A cell a spreadsheet would take for a formula begins with an apostrophe."""
    return _file(_table(doors().line.audit.everything(_sought())), "text/csv", "csv")


@audit.get("/staff/audit.json")
@for_staff(*AUDITORS)
def as_json() -> Response:
    """The same as JSON, one act a line, with the event whole."""
    lines = (json.dumps(_document(act), ensure_ascii=False) + "\n" for act in doors().line.audit.everything(_sought()))
    return _file(lines, "application/x-ndjson", "json")


def _sought() -> Sought:
    before = request.args.get("before", "")
    by, kind, precinct = (request.args.get(name, "").strip() for name in ("by", "kind", "precinct"))
    return Sought(by, kind, precinct, int(before) if before.isdigit() and len(before) < 18 else 0)


def _document(act: Act) -> dict[str, Any]:
    each = act.recorded
    return {
        "seq": each.seq,
        "at": each.at,
        "by": act.by,
        "address": act.address,
        "kind": kind_of(each.event),
        "precinct": each.precinct,
        "call": each.call,
        "told": told(each.event),
        "body": to_body(each.event),
    }


def _table(acts: Iterator[Act]) -> Iterator[str]:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for act in acts:
        document = _document(act)
        document["body"] = json.dumps(document["body"], ensure_ascii=False)
        writer.writerow([_cell(str(document[name])) for name in COLUMNS])
        yield out.getvalue()
        out.seek(0)
        out.truncate()
    yield out.getvalue()


def _cell(value: str) -> str:
    return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _file(parts: Iterator[str], mimetype: str, ending: str) -> Response:
    response = Response(parts, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="audit.{ending}"'
    return response
