autocmd BufNewFile,BufRead *.upc,*.uph setfiletype upc
