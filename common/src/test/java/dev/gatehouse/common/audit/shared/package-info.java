/** Tests of the audit events of all nodes in PostgreSQL. */
@NullMarked
package dev.gatehouse.common.audit.shared;

import org.jspecify.annotations.NullMarked;
