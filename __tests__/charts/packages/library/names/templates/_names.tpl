{{- define "names.host" }}{{ index .Values._cluster "root-host" }}{{ end }}
