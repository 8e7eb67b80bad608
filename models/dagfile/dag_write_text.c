/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts that the writers of all formats share. */
#include "models/dag/dag_mark.h"
#include "models/dagfile/dag_write_private.h"
#include "models/digits.h"

void orr_dag_put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

const char *orr_dag_number_text(double number, char *text)
{
    char *end = text + ORR_DIGITS;
    const char *nano = orr_digits_put_nano(end, number);

    if (nano) {
        *end = '\0';
        return nano;
    }
    for (int digits = 15; digits <= 17; digits++) {
        char format[8];

        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, ORR_DAG_NUMBER, format, number);
        if (!(g_ascii_strtod(text, NULL) < number) &&
            !(g_ascii_strtod(text, NULL) > number))
            break;
    }
    return text;
}

void orr_dag_put_number(FILE *file, double number)
{
    char text[ORR_DAG_NUMBER];

    fputs(orr_dag_number_text(number, text), file);
}

void orr_dag_put_time(FILE *file, orr_time time, unsigned scale)
{
    char text[ORR_DIGITS + 1] = "";

    fputs(orr_digits_put_decimal(text + ORR_DIGITS, time, scale), file);
}

void orr_dag_put_marks(const struct orr_dag_writing *writing,
                       const struct orr_dag_task *task, const char *before,
                       const char *behind)
{
    g_autoptr(GString) value = g_string_new(NULL);

    for (unsigned i = 0; i < ORR_DAG_MARKS; i++) {
        g_string_truncate(value, 0);
        orr_dag_mark_put(writing->dag, task, (enum orr_dag_mark)i, value);
        if (value->len == 0)
            continue;
        fprintf(writing->file, "%s%s%s", before, orr_dag_mark_names[i], behind);
        orr_dag_put_quoted(writing->file, value->str);
    }
}

const char *orr_dag_mode_text(unsigned mode, char *text)
{
    static const char letters[] = "RWCXS";
    char *at = text;

    for (unsigned i = 0; letters[i]; i++) {
        if (mode & 1u << i)
            *at++ = letters[i];
    }
    *at = '\0';
    return text;
}
