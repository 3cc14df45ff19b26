/* The OpenAPI documents, embedded in the program, so that they match its version. */
#define EMBED(name, file)                                                                     \
    __asm__(".section .rodata\n.global " #name ", " #name "_end\n" #name ":\n.incbin \"" file \
            "\"\n" #name "_end:\n.previous\n")
EMBED(openapi_yaml, OPENAPI ".yaml");
EMBED(openapi_json, OPENAPI ".json");
