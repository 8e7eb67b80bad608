/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks the elements of a file against the tables. */
#include "models/xml/xml_grammar.h"

#include <string.h>

#include "models/base/names.h"

/* The table's copy of @name, or NULL if @element has no such attribute. */
static const char *find_attribute(const struct orr_xml_element *element,
                                  const char *name)
{
    for (unsigned i = 0; element->required[i]; i++) {
        if (strcmp(element->required[i], name) == 0)
            return element->required[i];
    }
    for (unsigned i = 0; element->optional[i]; i++) {
        if (strcmp(element->optional[i], name) == 0)
            return element->optional[i];
    }
    return NULL;
}

static void fail_attribute(struct orr_xml *xml,
                           const struct orr_xml_element *element,
                           const char *name, const char *prefix)
{
    g_autofree char *full =
        g_strconcat(prefix ? prefix : "", prefix ? ":" : "", name, NULL);
    g_autofree char *quoted = orr_quote(full);
    g_autofree char *required =
        g_strjoinv(", ", (char **)(void *)element->required);
    g_autofree char *optional =
        g_strjoinv(", ", (char **)(void *)element->optional);
    const char *required_near = orr_names_nearest(element->required, name);
    g_autofree char *hint = orr_names_hint(
        required_near ? element->required : element->optional, name, "");

    orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                 "<%s> has no attribute %s%s; it may have: %s%s%s",
                 element->name, quoted, hint, required,
                 *required && *optional ? ", " : "", optional);
}

/*
 * Keeps one attribute as libxml2 gives it: its name, prefix and namespace, then
 * begin and end of its value.
 */
static bool take_attribute(struct orr_xml *xml,
                           const struct orr_xml_element *element,
                           const char *const *given)
{
    const char *name = given[1] ? NULL : find_attribute(element, given[0]);

    if (name)
        return orr_xml_keep_attribute(xml, element->name, name, given[3],
                                      (size_t)(given[4] - given[3]));
    fail_attribute(xml, element, given[0], given[1]);
    return false;
}

static bool take_attributes(struct orr_xml *xml,
                            const struct orr_xml_element *element,
                            const char *const *given, int count)
{
    orr_xml_clear_attributes(xml);
    for (int i = 0; i < count; i++) {
        if (!take_attribute(xml, element, &given[(ptrdiff_t)5 * i]))
            return false;
    }
    for (unsigned i = 0; element->required[i]; i++) {
        if (!orr_xml_text(xml, element->required[i])) {
            orr_xml_fail(xml, ORR_ERROR_SYNTAX, "<%s> lacks the attribute %s",
                         element->name, element->required[i]);
            return false;
        }
    }
    return true;
}

/* The first required child that @level still lacks before kind @end, or NULL.
 */
static const struct orr_xml_element *
find_lacking(const struct orr_xml_level *level, unsigned end)
{
    const struct orr_xml_child *children = level->element->children;

    for (unsigned i = level->child; i < end && children[i].element; i++) {
        bool present = i == level->child && level->count > 0;

        if (!present && (children[i].occurs == ORR_XML_ONE ||
                         children[i].occurs == ORR_XML_SOME))
            return children[i].element;
    }
    return NULL;
}

static void fail_child(struct orr_xml *xml,
                       const struct orr_xml_element *parent, const char *name)
{
    g_autofree char *quoted = orr_quote(name);
    g_autofree char *hint = NULL;
    g_autoptr(GString) names = g_string_new(NULL);
    const char *known[G_N_ELEMENTS(parent->children) + 1] = {NULL};

    for (unsigned i = 0; parent->children[i].element; i++) {
        known[i] = parent->children[i].element->name;
        g_string_append_printf(names, "%s<%s>", i > 0 ? ", " : "", known[i]);
    }
    hint = orr_names_hint(known, name, "");
    if (names->len > 0)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "element %s is out of place%s; <%s> holds, in this order: "
                     "%s",
                     quoted, hint, parent->name, names->str);
    else
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "element %s is out of place; <%s> is empty", quoted,
                     parent->name);
}

/* The child of @level called @name. If it is not allowed now, refuses the file
 * and returns NULL. */
static const struct orr_xml_element *
take_child(struct orr_xml *xml, struct orr_xml_level *level, const char *name)
{
    const struct orr_xml_child *children = level->element->children;
    const struct orr_xml_element *lacking;
    unsigned i = level->child;

    while (children[i].element && strcmp(children[i].element->name, name) != 0)
        i++;
    if (!children[i].element) {
        fail_child(xml, level->element, name);
        return NULL;
    }
    lacking = find_lacking(level, i);
    if (lacking) {
        orr_xml_fail(xml, ORR_ERROR_SYNTAX, "<%s> needs <%s> before <%s>",
                     level->element->name, lacking->name, name);
        return NULL;
    }
    level->count = i == level->child ? level->count + 1 : 1;
    level->child = i;
    if (level->count > 1 && (children[i].occurs == ORR_XML_ONE ||
                             children[i].occurs == ORR_XML_OPTIONAL)) {
        orr_xml_fail(xml, ORR_ERROR_SYNTAX, "second <%s> in <%s>", name,
                     level->element->name);
        return NULL;
    }
    return children[i].element;
}

static const struct orr_xml_element *take_root(struct orr_xml *xml,
                                               const char *name)
{
    g_autofree char *quoted = NULL;

    if (strcmp(xml->root->name, name) == 0)
        return xml->root;
    quoted = orr_quote(name);
    orr_xml_fail(xml, ORR_ERROR_SYNTAX, "the outermost element is %s, not <%s>",
                 quoted, xml->root->name);
    return NULL;
}

bool orr_xml_enter(struct orr_xml *xml, const char *name,
                   const char *const *given, int count)
{
    const struct orr_xml_element *element =
        xml->depth > 0 ? take_child(xml, &xml->levels[xml->depth - 1], name)
                       : take_root(xml, name);

    if (!element || !take_attributes(xml, element, given, count))
        return false;
    g_assert(xml->depth < ORR_XML_MAX_DEPTH);
    xml->levels[xml->depth++] = (struct orr_xml_level){.element = element};
    if (element->start)
        element->start(xml, xml->data);
    return !xml->error;
}

void orr_xml_leave(struct orr_xml *xml)
{
    const struct orr_xml_level *level = &xml->levels[xml->depth - 1];
    const struct orr_xml_element *lacking =
        find_lacking(level, ORR_XML_MAX_CHILDREN);

    orr_xml_clear_attributes(xml);
    if (lacking)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX, "<%s> needs <%s>",
                     level->element->name, lacking->name);
    else if (level->element->end)
        level->element->end(xml, xml->data);
    xml->depth--;
}
