/* Files of the project that a program contains. */
#ifndef FR_EMBED_H
#define FR_EMBED_H

/* The text of a file as `name`, which ends with a NUL at `name_end`.  The path starts at the root
 * of the project, where the compiler runs. */
#define FR_EMBED(name, file)                                        \
    __asm__(".pushsection .rodata\n"                                \
            ".hidden " #name ", " #name "_end\n"                    \
            ".global " #name ", " #name "_end\n" #name ":\n"        \
            ".incbin \"" file "\"\n" #name "_end:\n"                \
            ".byte 0\n"                                             \
            ".popsection\n");                                       \
    extern const char name[] __attribute__((visibility("hidden"))); \
    extern const char name##_end[] __attribute__((visibility("hidden")))

#endif
