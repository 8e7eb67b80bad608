/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of runs, from CSV and from SQLite. */
#include "apps/chart/rows.h"

#include <sqlite3.h>
#include <string.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/temp_folder.h"

/* Reads columns @a and @b of @path: "1,2;3,4;". Free with g_free(). NULL with
 * @error. */
static char *read_columns(const char *path, const char *a, const char *b,
                          GError **error)
{
    struct orr_rows *rows = orr_rows_open(path, error);
    GString *text = g_string_new(NULL);
    const char *const *fields = NULL;
    guint columns[2];
    bool good = rows && orr_rows_find(rows, a, &columns[0], error) &&
                orr_rows_find(rows, b, &columns[1], error) &&
                orr_rows_select(rows, columns, 2, error);

    while (good && (good = orr_rows_next(rows, &fields, error)) && fields)
        g_string_append_printf(text, "%s,%s;", fields[0], fields[1]);
    orr_rows_close(rows);
    return g_string_free(text, !good);
}

/* As read_columns(), of a file with the content @text. */
static char *read_text(void *folder, const char *text, GError **error)
{
    g_autofree char *path = temp_folder_path(folder, "t.csv");
    char *read;

    assert_true(g_file_set_contents(path, text, -1, NULL));
    read = read_columns(path, "a", "b", error);
    assert_int_equal(g_remove(path), 0);
    return read;
}

/* As read_columns(), for a database made by the statements @sql. */
static char *read_sql(void *folder, const char *sql, GError **error)
{
    g_autofree char *path = temp_folder_path(folder, "t.db");
    sqlite3 *db;
    char *read;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    read = read_columns(path, "a", "b", error);
    assert_int_equal(g_remove(path), 0);
    return read;
}

static void csv_gives_the_columns_that_are_wanted(void **state)
{
    g_autofree char *read =
        read_text(*state, "b,x,a\r\n1,,\"2,\"\"3\"\r\n\n4,x,5", NULL);

    assert_string_equal(read, "2,\"3,1;5,4;");
}

/* Rows come by point and replica, in whatever order they were written. */
static void sqlite_gives_the_same(void **state)
{
    g_autofree char *read = read_sql(
        *state,
        "CREATE TABLE run (point INTEGER, replica INTEGER, b TEXT, a REAL, "
        "PRIMARY KEY (point, replica));"
        "INSERT INTO run VALUES (10, 0, 'x', 0.5), (9, 1, 'y', NULL), "
        "(9, 0, 'z', 1e-9)",
        NULL);

    assert_string_equal(read, "1.0e-09,z;,y;0.5,x;");
}

/* @text is refused in line @line; the message contains @part. */
static void refuses(void *folder, const char *text, const char *part)
{
    g_autoptr(GError) error = NULL;

    assert_null(read_text(folder, text, &error));
    assert_non_null(strstr(error->message, part));
}

static void broken_csv_is_refused(void **state)
{
    refuses(*state, "", "t.csv:1: there are no columns");
    refuses(*state, "a,b\n1,2\n3\n", "t.csv:3: fields: 1, not 2");
    refuses(*state, "a,b\n1,\"2\n3,4\n", "t.csv:2: a quoted field");
    refuses(*state, "a,bb\n", "unknown column 'b'; there are: a, bb");
    refuses(*state, "a,b,a\n", "several columns 'a'");
}

/* A database made by the statements @sql is refused; the message contains
 * @part. */
static void refuses_sql(void *folder, const char *sql, const char *part)
{
    g_autoptr(GError) error = NULL;

    assert_null(read_sql(folder, sql, &error));
    assert_non_null(strstr(error->message, part));
}

/* A view could compute without end. */
static void other_databases_are_refused(void **state)
{
    refuses_sql(*state, "CREATE TABLE runs (a, b)", "it has no table run");
    refuses_sql(*state,
                "CREATE TABLE big (a, b);"
                "CREATE VIEW run AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL "
                "SELECT n + 1 FROM c) SELECT n AS a, n AS b FROM c",
                "t.db: ");
}

/* The first page says that there are more, and its content is random. */
static void a_damaged_database_is_refused(void **state)
{
    g_autofree char *path = temp_folder_path(*state, "t.db");
    char page[4096];
    g_autoptr(GError) error = NULL;

    memset(page, 'x', sizeof(page));
    memcpy(page, "SQLite format 3", 16);
    assert_true(g_file_set_contents(path, page, sizeof(page), NULL));
    assert_null(orr_rows_open(path, &error));
    assert_non_null(strstr(error->message, "t.db: "));
    assert_int_equal(g_remove(path), 0);
}

ORR_TESTS(rows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_gives_the_columns_that_are_wanted),
        cmocka_unit_test(sqlite_gives_the_same),
        cmocka_unit_test(broken_csv_is_refused),
        cmocka_unit_test(other_databases_are_refused),
        cmocka_unit_test(a_damaged_database_is_refused),
    };

    return cmocka_run_group_tests_name("rows", tests, temp_folder_setup,
                                       temp_folder_teardown);
}
