/**
 * AuditLog and AuditEvent: what must be provable later, as structured JSON lines; what cannot be audited is refused.
 */
@NullMarked
package dev.gatehouse.common.audit;

import org.jspecify.annotations.NullMarked;
