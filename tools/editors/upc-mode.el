;;; upc-mode.el --- Major mode for Unified Parallel C  -*- lexical-binding: t -*-

;;; Commentary:

;; C mode with the words of UPC.  In your init file:
;;
;;   (load "/usr/local/share/upct/editors/upc-mode")

;;; Code:

(require 'cc-mode)

(defvar upc-mode-words
  '((font-lock-keyword-face
     "upc_forall" "upc_barrier" "upc_notify" "upc_wait" "upc_fence"
     "shared" "strict" "relaxed"
     "upc_blocksizeof" "upc_elemsizeof" "upc_localsizeof")
    (font-lock-constant-face "MYTHREAD" "THREADS" "UPC_MAX_BLOCK_SIZE"))
  "Faces, and the words of UPC that they are for.")

;;;###autoload
(define-derived-mode upc-mode c-mode "UPC"
  "Major mode for Unified Parallel C."
  (font-lock-add-keywords
   nil (mapcar (lambda (group)
                 (cons (regexp-opt (cdr group) 'symbols) (list (list 0 (list 'quote (car group)) 'prepend))))
               upc-mode-words)
   'append)
  (unless (or (file-exists-p "Makefile") (file-exists-p "makefile") (not buffer-file-name))
    (setq-local compile-command
                (format "upcc -g %s -o %s"
                        (shell-quote-argument (file-name-nondirectory buffer-file-name))
                        (shell-quote-argument (file-name-base buffer-file-name))))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.up[ch]\\'" . upc-mode))

(provide 'upc-mode)
;;; upc-mode.el ends here
