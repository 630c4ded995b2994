" UPC is C, but for a few words.
runtime! ftplugin/c.vim
compiler upcc
