# The page that page.c fills in.
        .section .rodata
        .globl page_template
        .globl page_template_end
page_template:
        .incbin "tools/trace/report/page.html"
page_template_end:
        .byte 0
        .section .note.GNU-stack,"",@progbits
