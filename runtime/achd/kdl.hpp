/* SPDX-License-Identifier: MIT */
// kdl.hpp: solvers with the interfaces and the conventions of Orocos KDL 1.5 over functions that achdgen generates for
// one chain (docs/kdl.md). NAME_kdl.hpp, which `achdgen ROBOT.urdf --kdl TIP --name NAME` writes, includes this file:
//
//   #include "gen3_kdl.hpp"
//   achd::ChainHdSolver_Vereshchagin<gen3_kdl> solver(chain, root_acc, 6); // KDL::ChainHdSolver_Vereshchagin
//
// Every class compares the chain that it is given with the one that its functions were generated for, when it is made
// and by updateInternalDataStructures(). Where they differ, its functions return E_CHAIN_MISMATCH, and strError tells
// the first difference. C++11.
#ifndef ACHD_KDL_HPP
#define ACHD_KDL_HPP

#include <achd/kdl_chain.hpp>
#include <achd/kdl_family.hpp>
#include <achd/kdl_hybrid.hpp>

#endif
