#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""achd-page: a web page of a robot and its solver (docs/report.md). Needs Python 3, achdgen and clang."""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import function_cards  # noqa: E402
import meshes  # noqa: E402
import moving  # noqa: E402
import pages  # noqa: E402
import robot_pages  # noqa: E402
import run_folder  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="achd-page", description="Makes a web page of a robot: in 3-D, posed by sliders, with its solver as WebAssembly.")
    parser.add_argument("robot", metavar="ROBOT.urdf")
    parser.add_argument("--layout", metavar="FILE")
    parser.add_argument("--functions", metavar="LIST", help="functions beside the solver, separated by commas: any that achdgen generates (default: "
                        + ",".join(function_cards.SHOWN) + ", as far as the layout can have them)")
    parser.add_argument("-o", "--output", metavar="FILE", default="robot.html", help="the page (robot.html)")
    parser.add_argument("--achdgen", metavar="PROGRAM", default="achdgen", help="achdgen to run (achdgen)")
    parser.add_argument("--clang", metavar="PROGRAM", default="clang", help="a clang with the target wasm32 (clang)")
    parser.add_argument("--meshes", metavar="FOLDER", action="append", default=[], help="where packages of meshes (package://) are, beside ROS_PACKAGE_PATH, "
                        "AMENT_PREFIX_PATH and the folders above the URDF; may be repeated")
    parser.add_argument("--no-meshes", action="store_true", help="capsules in place of meshes")
    parser.add_argument("--no-solver", action="store_true", help="no solver: the robot, its joints, costs and warnings")
    parser.add_argument("--wasm", metavar="FILE", help="write the solver's WebAssembly to a file as well")
    arguments = parser.parse_args()
    robot = [arguments.robot] + (["--layout", arguments.layout] if arguments.layout else [])
    named = [] if arguments.no_solver else arguments.functions.split(",") if arguments.functions else None
    try:
        assets = pages.Assets(os.path.dirname(os.path.realpath(__file__)), "robot_page.bundle.js", robot_pages.STYLE + function_cards.STYLE)
        description, robot = robot_pages.described(arguments.achdgen, robot, named)
        wasm = None if arguments.no_solver else robot_pages.compiled(description, robot, arguments.achdgen, arguments.clang)
        moves, remark = (None, None) if arguments.no_solver else moving.made(robot_pages.run, arguments.achdgen, arguments.clang, robot_pages.WASM, robot, description)
        if remark:
            print(f"achd-page: warning: {remark}", file=sys.stderr)
        text = robot_pages.robot_page(description, wasm, assets, moves)
        most = 0 if arguments.no_meshes else meshes.MOST_TRIANGLES
        read_ones, missing = ([], []) if arguments.no_meshes else meshes.whole_robot(description, arguments.robot, arguments.meshes)
        while most > 0:
            description["meshes"] = meshes.made_small(read_ones, most)
            whole = robot_pages.robot_page(description, wasm, assets, moves)
            if len(whole.encode()) < pages.LARGEST_PAGE:
                text = whole
                if missing:
                    print(f"achd-page: {meshes.told(missing)}", file=sys.stderr)
                break
            most = most // 2 if most > 1000 else 0
        layout_folder = os.path.dirname(arguments.layout or "")
        read = [arguments.robot, *(os.path.join(layout_folder, one["name"]) for one in description["inputs"][1:])]
        if arguments.wasm and os.path.realpath(arguments.wasm) == os.path.realpath(arguments.output):
            raise run_folder.Mistake(f"{arguments.output} would be written twice: give each its own name")
        run_folder.write_whole(arguments.output, text.encode(), read)
        if arguments.wasm and wasm:
            run_folder.write_whole(arguments.wasm, wasm, read)
    except run_folder.Mistake as mistake:
        sys.exit(f"achd-page: {mistake}")
    except OSError as error:
        sys.exit(f"achd-page: {error.filename or ''}: {error.strerror}")


if __name__ == "__main__":
    main()
