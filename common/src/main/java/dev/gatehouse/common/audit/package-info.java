/**
 * What must be provable later: AuditEvent, AuditLog and its form in lines of JSON (RFC 8259). What cannot be audited is
 * refused.
 */
@NullMarked
package dev.gatehouse.common.audit;

import org.jspecify.annotations.NullMarked;
