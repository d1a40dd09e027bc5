{{- define "gatehouse.name" -}}
{{- if contains "gatehouse" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-gatehouse" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "gatehouse.labels" -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "gatehouse.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{/* The roles that are enabled, as a list: each has a Deployment, a Service and so on. */}}
{{- define "gatehouse.roles" -}}
{{- $roles := list }}
{{- if .Values.idp.enabled }}{{ $roles = append $roles "idp" }}{{ end }}
{{- if .Values.gateway.enabled }}{{ $roles = append $roles "gateway" }}{{ end }}
{{- if not $roles }}{{ fail "idp.enabled and gateway.enabled are both false: nothing would run" }}{{ end }}
{{- $roles | toJson }}
{{- end }}

{{/* gatehouse.yaml of a role. What the chart says (roles, listeners, data, drain) is merged with the values' own keys. */}}
{{- define "gatehouse.node" -}}
{{- $values := index .root.Values .role }}
{{- $node := mergeOverwrite (deepCopy .root.Values.node) (deepCopy $values.node) }}
{{- if and (hasKey $node "index") (ne (toString $node.index) "auto") }}
{{- fail (printf "node.index is %v for all pods of %s, but no two nodes may have the same: remove it, and each pod takes a free one" $node.index .role) }}
{{- end }}
{{- if and (ne (toString $node.storage) "shared") (or $values.autoscaling.enabled (gt (int $values.replicas) 1)) }}
{{- fail (printf "node.storage is not shared, so that each pod of %s would have sessions of its own: write storage: shared, or %s.replicas: 1" .role .role) }}
{{- end }}
{{- $listener := dict "address" "*" "port" $values.port }}
{{- if $values.tlsSecret }}{{ $_ := merge $listener (dict "certificate" "/run/secrets/tls/tls.crt" "privateKey" "/run/secrets/tls/tls.key") }}{{ end }}
{{- $listeners := dict "metrics" (dict "address" "*" "port" .root.Values.metricsPort) }}
{{- $_ := set $listeners .role (list $listener) }}
{{- $drain := dict "limits" (dict "times" (dict "drain" (printf "%ds" (int .root.Values.shutdown.drainSeconds)))) }}
{{- $own := dict "roles" (ternary (list "idp") (list "sp" "gateway") (eq .role "idp")) "data" "/var/lib/gatehouse" "listeners" $listeners }}
{{- mergeOverwrite $drain $node $own | toYaml }}
{{- end }}
