{{- define "strongroom.labels" -}}
app.kubernetes.io/name: strongroom
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .program }}
{{- end }}

{{- define "strongroom.name" -}}
{{ .root.Release.Name }}-{{ .program }}
{{- end }}

{{- define "strongroom.fromSecret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.secret }}, key: {{ .key | default .name }}, optional: {{ .optional | default false }} } }
{{- end }}

{{/* Variables that the Secret may have, unless the settings have them: each name is in the list once. */}}
{{- define "strongroom.optionalSecrets" -}}
{{- range .names }}
{{- if not (get $.root.Values.settings .) }}
{{ include "strongroom.fromSecret" (dict "root" $.root "name" . "optional" true) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Variables that all programs read. */}}
{{- define "strongroom.commonEnvironment" -}}
- { name: PUBLIC_URL, value: {{ printf "https://%s" .Values.site | quote }} }
- { name: TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
# Kubernetes takes some seconds to send new connections elsewhere.
- { name: STOP_GRACE, value: "5" }
{{- if .Values.metricsPort }}
- { name: METRICS_PORT, value: {{ .Values.metricsPort | quote }} }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- end }}
{{ include "strongroom.fromSecret" (dict "root" . "name" "MASTER_KEY") }}
{{- include "strongroom.optionalSecrets" (dict "root" . "names" (list "SMTP_URL" "OTEL_EXPORTER_OTLP_HEADERS")) }}
{{- range $name, $value := .Values.settings }}
{{- if not (kindIs "invalid" $value) }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* Variables of the service and the worker. */}}
{{- define "strongroom.serviceEnvironment" -}}
{{ include "strongroom.commonEnvironment" . }}
- { name: BLOB_URL, value: {{ required "blobUrl is required: s3://bucket?endpoint=…&region=…" .Values.blobUrl | quote }} }
- { name: SERVICE_PROCESSES, value: "1" }
- { name: DATABASE_MIGRATE, value: "off" }
{{ include "strongroom.fromSecret" (dict "root" . "name" "DATABASE_URL") }}
{{- include "strongroom.optionalSecrets" (dict "root" . "names" (list
  "DATABASE_DIRECT_URL" "DATABASE_REPLICA_URL" "RATE_STORE" "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY")) }}
{{- range list "API_KEY" "API_SECRET" "ADMIN_TOKEN" "ADMIN_EMAIL" }}
{{ include "strongroom.fromSecret" (dict "root" $ "name" (printf "BOOTSTRAP_%s" .) "key" .) }}
{{- end }}
{{- end }}

{{/* Variables of the proxy, which has no access to the database. */}}
{{- define "strongroom.proxyEnvironment" -}}
{{ include "strongroom.commonEnvironment" . }}
- { name: API_URL, value: {{ printf "http://%s-service:4000" .Release.Name | quote }} }
{{- range list "API_KEY" "API_SECRET" "ADMIN_TOKEN" }}
{{ include "strongroom.fromSecret" (dict "root" $ "name" .) }}
{{- end }}
{{- include "strongroom.optionalSecrets" (dict "root" . "names" (list "OIDC_CLIENT_SECRET")) }}
{{- end }}

{{- define "strongroom.probes" -}}
startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, failureThreshold: 60 }
readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 2, failureThreshold: 2 }
livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, failureThreshold: 6 }
{{- end }}

{{/* The worker answers at the port of its metrics only. */}}
{{- define "strongroom.workerProbes" -}}
startupProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 2, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
{{- end }}

{{/* Takes root, program, image, port (0: none), values (replicas, resources), environment, seccomp. */}}
{{- define "strongroom.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "strongroom.name" . }}
  labels: {{- include "strongroom.labels" . | nindent 4 }}
spec:
  {{- if and .values.replicas (not .scaled) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "strongroom.labels" . | nindent 6 }}
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  template:
    metadata:
      labels: {{- include "strongroom.labels" . | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 40
      securityContext:
        { runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: {{ toJson .seccomp }} }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "strongroom.labels" . | nindent 14 }}
      containers:
        - name: {{ .program }}
          image: {{ printf "%s:%s" .root.Values.image.repository .image | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [{{ .program }}]
          env: {{- .environment | nindent 12 }}
          {{- with .ports }}
          ports: {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- if .probed }}
          {{- include "strongroom.probes" . | nindent 10 }}
          {{- else if .ports }}
          {{- include "strongroom.workerProbes" . | nindent 10 }}
          {{- end }}
          resources: {{- toYaml .values.resources | nindent 12 }}
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          volumeMounts: [{ name: data, mountPath: /data }, { name: temporary, mountPath: /tmp }]
      volumes:
        # Caches, logs and documents in work; everything that must last is in PostgreSQL and the bucket.
        - { name: data, emptyDir: {} }
        - { name: temporary, emptyDir: {} }
{{- end }}
