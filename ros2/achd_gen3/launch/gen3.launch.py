# SPDX-License-Identifier: MIT
"""The Gen3 with mock hardware: controller manager, its controllers, and the tree of frames."""
import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = get_package_share_directory('achd_gen3')
    controllers = os.path.join(share, 'config', 'gen3.yaml')
    with open(os.path.join(share, 'urdf', 'gen3.urdf'), encoding='utf-8') as file:
        description = {'robot_description': file.read()}
    spawned = [
        Node(package='controller_manager', executable='spawner', arguments=[name, '--param-file', controllers])
        for name in ('joint_state_broadcaster', 'gen3_pose')
    ]
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=[description]),
        Node(
            package='controller_manager',
            executable='ros2_control_node',
            parameters=[description, controllers],
            remappings=[('~/robot_description', '/robot_description')],
        ),
        *spawned,
    ])
