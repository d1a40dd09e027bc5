/**
 * {@code /admin/v1/revisions}: the configurations that were in use, and what differs between them.
 */
@NullMarked
package dev.gatehouse.gateway.admin.revision;

import org.jspecify.annotations.NullMarked;
