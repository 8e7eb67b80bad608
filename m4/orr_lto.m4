dnl ORR_LTO: for link-time optimisation, add to ORR_FLAGS and, for linking
dnl alone, to ORR_LINK_FLAGS what $CC needs. Take an archiver, with its
dnl companions, that reads the objects of such a build, unless the user has
dnl chosen one. Call it before AM_PROG_AR and LT_INIT.
AC_DEFUN([ORR_LTO], [
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#ifndef __clang__
#error
#endif]])],
    [orr_family=llvm orr_lto=-flto ORR_LINK_FLAGS=-fuse-ld=lld],
    [orr_family=gcc orr_lto=-flto=auto])
  : ${AR=`$CC -print-prog-name=$orr_family-ar`}
  : ${NM=`$CC -print-prog-name=$orr_family-nm`}
  : ${RANLIB=`$CC -print-prog-name=$orr_family-ranlib`}
  orr_saved=$CFLAGS
  CFLAGS="$CFLAGS $orr_lto $ORR_LINK_FLAGS"
  AC_MSG_CHECKING([whether $CC links with $orr_lto $ORR_LINK_FLAGS])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[]], [[]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$CC cannot optimise at link time (Debian: clang needs the package lld)])])
  CFLAGS=$orr_saved
  ORR_FLAGS="$ORR_FLAGS $orr_lto"
])
