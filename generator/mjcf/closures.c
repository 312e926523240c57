/* SPDX-License-Identifier: MIT */
/* closures.c: see closures.h
 *
 * The bodies stand where all linkages are closed (ag_tree_build), from which MuJoCo takes the lengths of tendons and the second
 * points of <connect>. */
#include "mjcf/closures.h"

#include "mjcf/xml.h"

static int link_of(const ag_value *tie, const char *word) {
  return ag_value_integer(tie, word) - 1;
}

static const char *name_of(const ag_value *linkage, int k, ag_arena *arena) {
  return ag_printf(arena, "%s_%d", ag_value_text(linkage, "name"), k + 1);
}

void ag_rods_add(ag_text *xml, const ag_world *world, const ag_tree *tree) {
  const ag_value *linkages = ag_value_list(world->physics, "linkages");
  bool any = false;
  for (int l = 0; l < linkages->length; l++) {
    const ag_value *ties = ag_value_list(&linkages->items[l], "ties");
    for (int k = 0; k < ties->length; k++) {
      const ag_value *tie = &ties->items[k];
      if (!ag_value_is(tie, "kind", "rod")) continue;
      ag_text_add(xml, any ? "<spatial" : "<tendon>\n<spatial");
      any = true;
      ag_xml_add(xml, "name", name_of(&linkages->items[l], k, xml->arena));
      ag_text_add(xml, " width=\"0.004\"><site");
      ag_xml_add(xml, "site", ag_tree_site(tree, link_of(tie, "frame"), xml->arena));
      ag_text_add(xml, "/><site");
      ag_xml_add(xml, "site", ag_tree_site(tree, link_of(tie, "to"), xml->arena));
      ag_text_add(xml, "/></spatial>\n");
    }
  }
  if (any) ag_text_add(xml, "</tendon>\n");
}

/* Both bodies share a point at `where` of the first one's axis, from its origin [m]. */
static void connect(ag_text *xml, const ag_tree *tree, const ag_value *tie, double where,
                    const char *how) {
  double anchor[3] = {0, 0, 0};
  const int axis = ag_value_integer(tie, "axis");
  if (axis > 0) anchor[axis - 1] = where;
  ag_text_add(xml, "<connect");
  ag_xml_add(xml, "body1", tree->name[link_of(tie, "frame")]);
  ag_xml_add(xml, "body2", tree->name[link_of(tie, "to")]);
  ag_xml_add_numbers(xml, "anchor", anchor, 3);
  ag_text_add(xml, "%s", how);
}

static void closure_add(ag_text *xml, const ag_tree *tree, const ag_value *linkage, int k,
                        const char *how) {
  const ag_value *tie = &ag_value_list(linkage, "ties")->items[k];
  if (ag_value_is(tie, "kind", "rod")) {
    ag_text_add(xml, "<tendon");
    ag_xml_add(xml, "tendon1", name_of(linkage, k, xml->arena));
    ag_text_add(xml, "%s", how);
  } else if (ag_value_is(tie, "kind", "rigid")) {
    ag_text_add(xml, "<weld");
    ag_xml_add(xml, "body1", tree->name[link_of(tie, "frame")]);
    ag_xml_add(xml, "body2", tree->name[link_of(tie, "to")]);
    ag_text_add(xml, "%s", how);
  } else {
    const double apart = 0.1; /* of a hinge: two points of its axis */
    connect(xml, tree, tie, 0, how);
    if (ag_value_is(tie, "kind", "hinge")) connect(xml, tree, tie, apart, how);
  }
}

void ag_closures_add(ag_text *xml, const ag_world *world, const ag_tree *tree, const char *how) {
  const ag_value *linkages = ag_value_list(world->physics, "linkages");
  for (int l = 0; l < linkages->length; l++)
    for (int k = 0; k < ag_value_list(&linkages->items[l], "ties")->length; k++)
      closure_add(xml, tree, &linkages->items[l], k, how);
}
