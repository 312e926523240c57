<!-- robot: ../../../robots/gen3.urdf -->
<robot name="r"/>
