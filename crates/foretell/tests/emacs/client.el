;;; client.el --- A thin client for Emacs 30, for tests -*- lexical-binding: t -*-

;; Eglot opens, changes and closes documents, starts the server and starts it anew.  What it has no
;; commands for is here: asking for inline completions, taking one, and saying that one is not
;; wanted.  This Emacs has no screen.  It reads calls from its standard input, one to a line, each a
;; JSON list of a function and its arguments, and writes what comes of each to its standard output.
;; It ends when its input does.

(require 'cl-lib)
(require 'eglot)

;; Nothing is compiled behind the test's back.
(setq native-comp-jit-compilation nil
      native-comp-enable-subr-trampolines nil)

(setq make-backup-files nil
      auto-save-default nil
      create-lockfiles nil
      eglot-sync-connect 60
      eglot-connect-timeout 60
      ;; Also if the server did not live long.
      eglot-autoreconnect t)

;; What is said and heard, as it happens, so that it is there whatever becomes of Emacs.  It is not in
;; the workspace: Eglot watches that, and an Emacs without a screen is told of no process that ended
;; while a watched file has changed.
(defvar foretell--said (expand-file-name "said"))

(defun foretell--log (_connection origin &rest event)
  (let ((text (or (plist-get event :json) (plist-get event :log-text)))
        (coding-system-for-write 'utf-8)
        (arrow (pcase origin ('client "-->") ('server "<--") (_ "   "))))
    (when text
      (write-region (format "%s %s\n" arrow (string-trim text)) nil foretell--said 'append 'silent))))

(add-hook 'jsonrpc-event-hook #'foretell--log)

(defun foretell--wait (is-so)
  "Handle what processes say until IS-SO is."
  (with-timeout (60 (error "It never became so"))
    (while (not (funcall is-so))
      (sleep-for 0.02))))

(defun foretell--server ()
  (or (eglot-current-server) (error "No server")))

;; A server that counts columns in one way only.
(defvar foretell--encodings nil)

(cl-defmethod eglot-client-capabilities :around (_server)
  (let ((capabilities (cl-call-next-method)))
    (when foretell--encodings
      (plist-put (plist-get capabilities :general) :positionEncodings foretell--encodings))
    capabilities))

(defun foretell-start (file server encoding)
  "Visit FILE and have Eglot start SERVER for it, with columns in ENCODING if that is one."
  (when encoding
    (setq foretell--encodings (vector encoding)))
  (setf (alist-get 'js-mode eglot-server-programs) (append server nil))
  (switch-to-buffer (find-file-noselect file))
  (js-mode)
  (buffer-enable-undo)
  (call-interactively #'eglot)
  (foretell--wait (lambda () (and (eglot-current-server) (eglot-managed-p))))
  (plist-get (eglot--server-info (foretell--server)) :name))

(defun foretell-type (keys)
  "Type KEYS, in the notation of `kbd', and say what the line is then."
  (execute-kbd-macro (kbd keys))
  (foretell-line))

(defun foretell-line ()
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun foretell-ask (kind)
  "Ask for suggestions at point: 1 because the person wants one, 2 by itself."
  (eglot--request (foretell--server) :textDocument/inlineCompletion
                  (append (eglot--TextDocumentPositionParams)
                          `(:context (:triggerKind ,kind)))
                  :timeout 60))

(defun foretell-accept (item)
  "Take ITEM: its text, and then its command."
  (eglot--dbind (insertText range command) item
    (eglot--apply-text-edits (vector (list :range range :newText insertText)))
    (eglot-execute (foretell--server) command)
    (foretell-line)))

(defun foretell-reject (item)
  "Say that ITEM is not wanted."
  (let ((id (aref (plist-get (plist-get item :command) :arguments) 0)))
    (jsonrpc-notify (foretell--server) :foretell/didReject (list :id id))
    t))

(defun foretell-request (method params)
  (jsonrpc-request (foretell--server) (intern (concat ":" method)) params :timeout 60))

(defun foretell-supersede ()
  "Ask twice without waiting: what became of the older one, and of the newer."
  (eglot--signal-textDocument/didChange)
  (let* (older newer
         (ask (lambda (hear)
                (jsonrpc-async-request
                 (foretell--server) :textDocument/inlineCompletion
                 (append (eglot--TextDocumentPositionParams) '(:context (:triggerKind 1)))
                 :timeout 60
                 :success-fn hear
                 :error-fn (lambda (err) (funcall hear (list :code (plist-get err :code))))))))
    (funcall ask (lambda (it) (setq older it)))
    (execute-kbd-macro (kbd "C-a"))
    (funcall ask (lambda (it) (setq newer it)))
    (foretell--wait (lambda () (and older newer)))
    (vector older newer)))

(defun foretell-process ()
  "The number of the server's process."
  (process-id (jsonrpc--process (foretell--server))))

(defun foretell-kill ()
  "Kill the server as the system would, and see Eglot start another by itself."
  (let ((killed (foretell--server)))
    ;; It does so only for one that has lived for a while, which this one need not.
    (setf (eglot--inhibit-autoreconnect killed) nil)
    (signal-process (process-id (jsonrpc--process killed)) 'KILL)
    (foretell--wait (lambda ()
                      (and (eglot-current-server)
                           (not (eq (eglot-current-server) killed))
                           (eglot-managed-p))))
    t))

(defun foretell-reconnect ()
  "Have Eglot stop the server and start another."
  (call-interactively #'eglot-reconnect)
  (foretell--wait (lambda () (and (eglot-current-server) (eglot-managed-p))))
  t)

(defun foretell-shutdown ()
  "Have Eglot stop the server.
It asks, and kills the server if that takes longer than a tenth of a second, so that how the process
ended says nothing of the server."
  (let ((process (jsonrpc--process (foretell--server))))
    (call-interactively #'eglot-shutdown)
    (foretell--wait (lambda () (not (process-live-p process))))
    t))

(defun foretell-save ()
  "Save the file, and say how it is encoded."
  (call-interactively #'save-buffer)
  (symbol-name buffer-file-coding-system))

(defun foretell--json (object)
  (json-serialize object :null-object nil :false-object :json-false))

(defun foretell--answer (line)
  "What comes of the call in LINE."
  (condition-case problem
      (let* ((call (append (json-parse-string line :object-type 'plist :null-object nil
                                              :false-object :json-false)
                           nil))
             (function (intern (concat "foretell-" (car call)))))
        (list :said (apply function (cdr call))))
    (error (list :problem (error-message-string problem)))))

(defun foretell-main ()
  (let ((coding-system-for-read 'utf-8))
    (condition-case nil
        (while t
          (let ((line (read-from-minibuffer "")))
            (princ (decode-coding-string (foretell--json (foretell--answer line)) 'utf-8))
            (terpri)
            (flush-standard-output)))
      (end-of-file (kill-emacs 0)))))

(foretell-main)

;;; client.el ends here
