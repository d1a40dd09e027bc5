/** {@code /admin/v1/requests}: what is known of one request by its id: the traces of its refusals, and its audit events. */
@NullMarked
package dev.gatehouse.gateway.admin.request;

import org.jspecify.annotations.NullMarked;
