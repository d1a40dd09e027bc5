/** Searches the audit log by REST, and exports events as lines of JSON and in the Common Event Format (CEF). */
@NullMarked
package dev.gatehouse.gateway.admin.audit;

import org.jspecify.annotations.NullMarked;
