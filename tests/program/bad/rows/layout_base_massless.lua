-- robot: ../../../../robots/arm1dof.urdf
return { base = "floating" }
--> ../../../../robots/arm1dof.urdf:8: error: the moving base "base": no mass or rotational inertia resists one of its motions
-->   remedy: give the base link an <inertial>, or inertials in the layout; --functions fk,jac need no masses
