"""Completes openapi.yaml by what the routes say (describe.c), and writes it as JSON and as YAML.

python3 api/openapi.py openapi.yaml ROUTES.json OUT.json OUT.yaml
"""
import json
import re
import sys

import yaml

REFUSED = {
    "400": "Syntax", "401": "Unauthorized", "403": "Forbidden", "404": "NotFound", "406": "NotAcceptable",
    "413": "TooLarge", "415": "UnsupportedMediaType", "422": "Invalid", "429": "TooMany", "503": "Unavailable",
}


def ref(kind, name):
    return {"$ref": f"#/components/{kind}/{name}"}


def patch(target, change):
    """JSON merge patch (RFC 7386); what is a reference is replaced."""
    for key, value in change.items():
        if value is None:
            target.pop(key, None)
        elif isinstance(value, dict) and isinstance(target.get(key), dict) and "$ref" not in target[key]:
            patch(target[key], value)
        else:
            target[key] = value
    return target


def complete(schema):
    """An object is what has properties, all of them required unless `required` says which; a list what has items."""
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        schema.setdefault("type", "object")
        if not schema.setdefault("required", list(schema["properties"])):
            del schema["required"]
        for each in schema["properties"].values():
            complete(each)
    if "items" in schema:
        schema.setdefault("type", "array")
    for key in ("items", "additionalProperties"):
        complete(schema.get(key))
    for key in ("allOf", "anyOf", "oneOf"):
        for each in schema.get(key, []):
            complete(each)


def answer(status, description, route, schema):
    if status == "204":
        return {"description": description}
    is_get = route["method"] == "get"
    headers = ["ETag"] if is_get and status == "200" else ["Location"] if not is_get and status != "200" else []
    if "cursor" in route["options"]:
        headers.append("Link")
    made = {"description": description, "headers": {name: ref("headers", name) for name in headers}}
    if not headers:
        del made["headers"]
    schemas = {"application/json": ref("schemas", schema) if schema else {}, "application/x-ndjson": ref("schemas", "Line")}
    made["content"] = {kind: {"schema": schemas.get(kind, {"type": "string"})} for kind in route["types"]}
    return made


def refusals(route):
    yield from ("401", "429")
    if route["options"] or route["takes_body"]:
        yield from ("400", "422")
    if route["needs_token"]:
        yield "403"
    if "{" in route["path"]:
        yield "404"
    if route["types"]:
        yield "406"
    if route["takes_body"]:
        yield from ("413", "415")
    if route["may_wait"]:
        yield "503"


def parameters(route, own):
    """Those of a question, the options of the route, and what `own` says of them, by name."""
    made = {}
    if route["is_question"]:
        machine, asked = ("machineListed", "modelParameterLists") if route["takes_lists"] else ("machine", "modelParameters")
        made = {name: ref("parameters", name) for name in ("machine", "calibration", "run")}
        made |= {"machine": ref("parameters", machine), "parameters": ref("parameters", asked)}
    for name, schema in route["options"].items():
        made[name] = {"description": schema.pop("description"), "schema": schema}
        if name in route["required"]:
            made[name]["required"] = True
    patch(made, own)
    return [each if "$ref" in each else {"name": name, "in": "query", **each} for name, each in made.items()]


def responses(route, schema, answers):
    if "image/svg+xml" in route["types"]:
        made = {"200": ref("responses", "Picture")}
    else:
        made = {str(status): answer(str(status), text, route, schema) for status, text in answers.items()}
    if route["path"].startswith("/api/"):
        made.update((status, ref("responses", REFUSED[status])) for status in refusals(route))
        if route["method"] == "get":
            made["304"] = ref("responses", "NotModified")
    if route["takes_analyze"]:
        made["202"] = ref("responses", "Analyzing")
    return made


def operation(route, own, tag):
    """`answers` has the description of each status with an answer, `schema` the name of the answer's schema."""
    made = {"operationId": own.pop("operationId"), "tags": [tag], "summary": route["summary"]}
    if "description" in own:
        made["description"] = own.pop("description")
    if route["needs_token"]:
        made["security"] = [{"bearer": []}]
    usual = {"204": "Removed."} if route["method"] == "delete" else {}
    made["parameters"] = parameters(route, own.pop("parameters", {}))
    made["responses"] = responses(route, own.pop("schema", None), own.pop("answers", usual))
    patch(made, own)
    if not made["parameters"]:
        del made["parameters"]
    made["responses"] = dict(sorted(made["responses"].items()))
    return made


def path_parameter(path, name):
    if name == "id":
        name = re.search(r"(\w+)s/\{id", path)[1] + "Id"
    return ref("parameters", "machineName" if name == "machine" else name)


def add_routes(document, routes):
    paths = document["paths"]
    tags = {f"/api/v1/{part}": tag["name"] for tag in document["tags"] for part in tag.pop("paths", [])}
    for route in routes:
        route["path"] = route["path"].replace("*", "")
        route["method"] = route["method"].lower()
        route["types"] = [kind.split(";")[0] for kind in route["types"]]
    known = {(route["path"], route["method"]) for route in routes}
    differing = known ^ {(path, method) for path, item in paths.items() for method in item}
    assert not differing, f"openapi.yaml describes other routes than routes.c has: {differing}"
    for route in routes:
        item = paths[route["path"]]
        item[route["method"]] = operation(route, item[route["method"]], tags.get(re.match(r"(/\w+){0,3}", route["path"])[0], "service"))
    for path, item in paths.items():
        names = re.findall(r"\{(\w+)\}", path)
        if names:
            paths[path] = {"parameters": [path_parameter(path, name) for name in names], **item}


class Dumper(yaml.SafeDumper):
    """Texts of several lines stand as they were written."""

    def ignore_aliases(self, data):
        return True


Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None))


def main(source, routes, as_json, as_yaml):
    with open(source, encoding="utf-8") as file:
        document = yaml.safe_load(file)
    with open(routes, encoding="utf-8") as file:
        add_routes(document, json.load(file))
    for schema in document["components"]["schemas"].values():
        complete(schema)
    for name, response in document["components"]["responses"].items():
        if name != "NotModified":
            response.setdefault("content", {"application/problem+json": {"schema": ref("schemas", "Problem")}})
    with open(as_json, "w", encoding="utf-8") as file:
        json.dump(document, file)
    with open(as_yaml, "w", encoding="utf-8") as file:
        yaml.dump(document, file, Dumper, allow_unicode=True, sort_keys=False, width=120)


main(*sys.argv[1:])
