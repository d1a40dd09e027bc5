package dev.gatehouse.common.audit;

import java.util.Optional;

/** The archive of the audit log, where one is configured. */
public record ConfiguredArchive(Optional<AuditArchive> archive) {}
