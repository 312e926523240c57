#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""achd-report: web pages of what a robot has done (docs/report.md). Needs Python 3 and nothing else."""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import meshes  # noqa: E402
import run_folder  # noqa: E402
import pages  # noqa: E402


def runs_in(folders):
    """Folders that have a run.json: those given, and those in them; in the order of their names."""
    found = []
    for folder in folders:
        if os.path.isfile(os.path.join(folder, "run.json")):
            found.append(folder)
            continue
        if not os.path.isdir(folder):
            raise run_folder.Mistake(f"{folder}: is not a folder")
        inside = [os.path.join(folder, name) for name in sorted(os.listdir(folder), key=run_folder.natural)]
        inside = [path for path in inside if os.path.isfile(os.path.join(path, "run.json"))]
        if not inside:
            raise run_folder.Mistake(f"{folder}: has no run.json, and no folder in it has one; see docs/report.md for what a run is")
        found += inside
    return found


def page_names(folders):
    names, used = [], {"index"}
    for folder in folders:
        name = os.path.basename(os.path.abspath(folder)) or "run"
        name = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
        unique, k = name, 2
        while unique in used:
            unique, k = f"{name}-{k}", k + 1
        used.add(unique)
        names.append(unique + ".html")
    return names


def main():
    parser = argparse.ArgumentParser(prog="achd-report", description="Makes web pages of runs: one page per run, and index.html, which lists them.",
                                     epilog="A run is a folder with log.csv and run.json; docs/report.md has the format.")
    parser.add_argument("folders", metavar="FOLDER", nargs="+", help="a run, or a folder with runs")
    parser.add_argument("-o", "--output", metavar="FOLDER", default="report", help="where the pages are written (report)")
    parser.add_argument("--urdf", metavar="FILE", help="the robot of these runs, for the meshes of its links; without it they are capsules")
    parser.add_argument("--meshes", metavar="FOLDER", action="append", default=[], help="where packages of meshes (package://) are, beside ROS_PACKAGE_PATH, "
                        "AMENT_PREFIX_PATH and the folders above the URDF; may be repeated")
    parser.add_argument("--title", default="Runs", help="title of index.html (Runs)")
    arguments = parser.parse_args()
    try:
        assets = pages.Assets(os.path.dirname(os.path.realpath(__file__)))
        folders = runs_in(arguments.folders)
        runs = [run_folder.read(folder) for folder in folders]
        made = {}  # by where the links are: runs of one robot have the same meshes, which take seconds
        for run in runs:
            if arguments.urdf and run.robot:
                links = json.dumps(run.robot["frames"])
                if links not in made:
                    made[links] = meshes.of_robot(run.robot, arguments.urdf, arguments.meshes)
                run.robot["meshes"], missing = made[links]
                if missing:
                    print(f"achd-report: {meshes.told(missing)}", file=sys.stderr)
        names = page_names(folders)
        texts = [pages.run_page(run, assets) for run in runs]
        index = pages.index_page(arguments.title, runs, names, assets)
        os.makedirs(arguments.output, exist_ok=True)
        for name, text in zip(names, texts):
            run_folder.write_whole(os.path.join(arguments.output, name), text.encode())
        run_folder.write_whole(os.path.join(arguments.output, "index.html"), index.encode())
    except run_folder.Mistake as mistake:
        sys.exit(f"achd-report: {mistake}")
    except OSError as error:
        sys.exit(f"achd-report: {error.filename or ''}: {error.strerror}")
    print(f"{os.path.join(arguments.output, 'index.html')}: {len(runs)} run{'s' if len(runs) != 1 else ''}")


if __name__ == "__main__":
    main()
