/**
 * The administration console at {@code /console/} of the admin listener: pages over what the REST interface offers ({@code
 * gateway.admin}), for people who log in with their account (OpenID Connect Core 3.1, RFC 7636) or with an administrator key. {@link
 * ConsoleFilter} finds the session and checks forms; the pages are Spring MVC controllers, whose operations need a role ({@code RequiresRole}) as those of the REST interface do.
 * {@link AppWizard} adds apps, {@link AuditPages} searches the audit log. All pages work without script; with it, {@link ConsoleAssets}
 * serves htmx.
 */
@NullMarked
package dev.gatehouse.gateway.console;

import org.jspecify.annotations.NullMarked;
