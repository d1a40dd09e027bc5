/**
 * What all endpoints of the admin listener share: its web server, host names, administrator keys (RFC 6750), sessions,
 * the roles of keys and people, recent logins (RFC 9470), problem details (RFC 9457), answers that fail
 * half-way, pages of long lists, and the audit of changes.
 */
@NullMarked
package dev.gatehouse.gateway.admin.web;

import org.jspecify.annotations.NullMarked;
