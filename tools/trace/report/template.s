# The page that page.c fills in, and what goes into it.
        .macro text name, file
        .globl \name
        .globl \name\()_end
\name:
        .incbin "tools/trace/report/\file"
\name\()_end:
        .byte 0
        .endm

        .section .rodata
        text page_html, page.html
        text page_css, page.css
        text page_js, page.js
        text page_arrows_js, arrows.js
        text page_select_js, select.js
        text page_memory_js, memory.js
        text page_compare_js, compare.js
        text page_timeline_js, timeline.js
        .section .note.GNU-stack,"",@progbits
