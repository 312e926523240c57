/* SPDX-License-Identifier: MIT */
/* markup.c: see markup.h. The only file that includes libxml2. */
#include "model/markup.h"

#include "base/text.h"
#include "model/urdf_words.h"

#include <libxml/parser.h>
#include <string.h>

/* Bounds on what is read. The largest robot known to us has some hundred links in some hundred
 * kilobytes; a link with its joint makes about 50 elements and attributes. */
enum {
  MOST_LINKS = 10000,
  MOST_PARTS = 1000000, /* elements and attributes */
  MOST_TEXT = 4000      /* bytes of an element's text: seven numbers at most, or a name */
};

/* MJCF's bodies stand in each other; libxml2 ends at 256. */
const ag_language ag_language_urdf = {"robot", "a URDF", 64, "five", true};
const ag_language ag_language_mjcf = {"mujoco", "an MJCF file", 200, NULL, false};
const ag_language ag_language_sdf = {"sdf", "an SDF file", 64, "some twenty", true};

typedef struct reader {
  const ag_markup *file;
  ag_arena *arena;
  ag_err *err;
  xmlParserCtxt *parser;
  ag_element *root, *open; /* open: the element that the next one stands in */
  int depth, nlinks, njoints, nparts;
} reader;

/* Whether the document stays within bounds with one more element. */
static bool count_element(reader *r, const char *name, int line, int nattributes) {
  const char *path = r->file->path;
  const ag_language *language = r->file->language;
  if (r->depth >= language->deepest)
    return ag_fail(r->err, path, line,
                   language->usual
                       ? ag_printf(r->arena, "%s nests %s deep: is this the right file?",
                                   language->file, language->usual)
                       : "take the part of the robot that you control",
                   "elements are nested more than %d deep", language->deepest);
  r->nlinks += r->depth == 1 && strcmp(name, "link") == 0;
  r->njoints += r->depth == 1 && strcmp(name, "joint") == 0;
  if (r->nlinks > MOST_LINKS || r->njoints > MOST_LINKS)
    return ag_fail(r->err, path, line, "take the part of the robot that you control",
                   "the robot has more than %d %s", MOST_LINKS,
                   r->nlinks > MOST_LINKS ? "links" : "joints");
  r->nparts += 1 + nattributes;
  if (r->nparts > MOST_PARTS)
    return ag_fail(r->err, path, line,
                   ag_printf(r->arena, "%s keeps its meshes in other files", language->file),
                   "the file has more than %d elements and attributes", MOST_PARTS);
  return true;
}

static const char *copied(const reader *r, const xmlChar *text) {
  return text ? ag_strdup(r->arena, (const char *)text) : NULL;
}

/* libxml2 has five texts of an attribute: name, prefix, namespace, where its value begins and where
 * it ends. A prefix that nobody declared stays with the name. */
static ag_attribute *attributes_of(const reader *r, int count, const xmlChar **texts) {
  ag_attribute *first = NULL, **last = &first;
  for (int i = 0; i < count; ++i, texts += 5) {
    ag_attribute *a = ag_alloc(r->arena, sizeof *a);
    const char *prefix = (const char *)texts[1], *name = (const char *)texts[0];
    *a = (ag_attribute){
        .name =
            prefix && !texts[2] ? ag_printf(r->arena, "%s:%s", prefix, name) : copied(r, texts[0]),
        .value = ag_printf(r->arena, "%.*s", (int)(texts[4] - texts[3]), (const char *)texts[3]),
        .foreign = texts[2] != NULL};
    *last = a;
    last = &a->next;
  }
  return first;
}

/* Called at every start tag. libxml2's own line numbers end at 65535, so we note ours. */
static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int nnamespaces, const xmlChar **namespaces,
                          int nattributes, int ndefaulted, const xmlChar **attributes) {
  (void)namespaces, (void)ndefaulted;
  reader *r = ((xmlParserCtxt *)context)->_private;
  const int line = r->parser->input ? r->parser->input->line : 0;
  if (!count_element(r, (const char *)name, line, nattributes + nnamespaces)) {
    xmlStopParser(r->parser);
    return;
  }
  ag_element *e = ag_alloc(r->arena, sizeof *e);
  const char *local = copied(r, name);
  const char *full = prefix ? ag_printf(r->arena, "%s:%s", (const char *)prefix, local) : local;
  *e = (ag_element){.name = full,
                    .local = uri ? local : full,
                    .uri = copied(r, uri),
                    .prefix = uri ? copied(r, prefix) : NULL,
                    .path = r->file->path,
                    .line = line,
                    .attributes = attributes_of(r, nattributes, attributes),
                    .parent = r->open};
  if (!r->open)
    r->root = e;
  else if (r->open->last)
    r->open->last->next = e;
  else
    r->open->children = e;
  if (r->open) r->open->last = e;
  r->open = e;
  r->depth++;
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *uri) {
  (void)name, (void)prefix, (void)uri;
  reader *r = ((xmlParserCtxt *)context)->_private;
  if (r->open) r->open = r->open->parent;
  r->depth--;
}

/* Called with a piece of what stands between tags. What is longer than a text may be is cut off. */
static void characters(void *context, const xmlChar *text, int length) {
  const reader *r = ((xmlParserCtxt *)context)->_private;
  if (!r->open || !r->file->language->has_texts || r->open->children) return;
  if (r->open->text && strlen(r->open->text) >= MOST_TEXT) return;
  r->open->text =
      ag_printf(r->arena, "%s%.*s", r->open->text ? r->open->text : "", length, (const char *)text);
}

/* Called at <!DOCTYPE: with no document type there are no entities to expand or fetch. */
static void doctype(void *context, const xmlChar *name, const xmlChar *public_id,
                    const xmlChar *system_id) {
  (void)name, (void)public_id, (void)system_id;
  const reader *r = ((xmlParserCtxt *)context)->_private;
  ag_fail(r->err, r->file->path, r->parser->input ? r->parser->input->line : 0,
          ag_printf(r->arena, "delete the line: %s has no document type", r->file->language->file),
          "<!DOCTYPE> is not read: it could name other files");
  xmlStopParser(r->parser);
}

/* libxml2's first word on what is not well-formed is the one that helps; a prefix that nobody
 * declared is no more than unknown. */
#if LIBXML_VERSION >= 21200
static void xml_error(void *context, const xmlError *error) {
#else
static void xml_error(void *context, xmlError *error) {
#endif
  const reader *r = ((const xmlParserCtxt *)context)->_private;
  if (error->level != XML_ERR_FATAL || !error->message) return;
  const char *what = error->code == XML_ERR_INTERNAL_ERROR
                         ? "bytes that are no text in its encoding"
                         : error->message;
  ag_fail(r->err, r->file->path, error->line, ag_urdf_other_text(r->file->path, r->arena),
          "not well-formed XML: %.*s", (int)strcspn(what, "\n"), what);
}

/* What libxml2 would print by itself: the error above says it. */
static void say_nothing(void *context, const char *format, ...) {
  (void)context, (void)format;
}

const ag_language *ag_language_of(const char *bytes, size_t size) {
  static const ag_language *const LANGUAGES[] = {&ag_language_mjcf, &ag_language_sdf};
  const char *at = bytes, *const end = bytes + size;
  while (at + 1 < end && !(*at == '<' && ((at[1] | 0x20) >= 'a' && (at[1] | 0x20) <= 'z'))) ++at;
  for (size_t i = 0; i < sizeof LANGUAGES / sizeof *LANGUAGES; ++i) {
    const size_t length = strlen(LANGUAGES[i]->root);
    if ((size_t)(end - at) > length && memcmp(at + 1, LANGUAGES[i]->root, length) == 0)
      return LANGUAGES[i];
  }
  return &ag_language_urdf;
}

ag_element *ag_markup_read(const ag_markup *file, ag_arena *arena, ag_err *err) {
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (!parser) {
    ag_fail(err, file->path, 0, NULL, "out of memory");
    return NULL;
  }
  reader r = {.file = file, .arena = arena, .err = err, .parser = parser};
  xmlSetGenericErrorFunc(NULL, say_nothing);
  parser->_private = &r;
  parser->sax->startElementNs = start_element;
  parser->sax->endElementNs = end_element;
  parser->sax->internalSubset = doctype;
  parser->sax->serror = xml_error;
  /* What stands between the tags says nothing, but in SDF: no memory for it elsewhere. */
  parser->sax->characters = characters;
  parser->sax->ignorableWhitespace = NULL;
  parser->sax->cdataBlock = NULL;
  parser->sax->comment = NULL;
  parser->sax->processingInstruction = NULL;
  /* NOENT: &amp; in a value is an ampersand; there are no other entities without a document type */
  xmlDoc *tree = xmlCtxtReadMemory(parser, file->bytes, (int)file->size, NULL, NULL,
                                   XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                       XML_PARSE_BIG_LINES | XML_PARSE_NOENT);
  if (!tree || err->set) {
    ag_fail(err, file->path, 0, NULL, "not well-formed XML");
    r.root = NULL;
  } else if (!r.root) {
    ag_fail(err, file->path, 0, NULL, "no XML element");
  }
  xmlFreeDoc(tree);
  xmlFreeParserCtxt(parser);
  return r.root;
}

bool ag_element_is(const ag_element *element, const char *name) {
  return !element->prefix && strcmp(element->local, name) == 0;
}

const ag_element *ag_element_child(const ag_element *parent, const char *name) {
  for (const ag_element *child = parent->children; child; child = child->next)
    if (ag_element_is(child, name)) return child;
  return NULL;
}

const char *ag_element_text(const ag_element *element, const char *name) {
  for (const ag_attribute *a = element ? element->attributes : NULL; a; a = a->next)
    if (!a->foreign && strcmp(a->name, name) == 0) return a->value;
  return NULL;
}
