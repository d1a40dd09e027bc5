/** Analytics over REST: series by time as JSON or CSV, and unusual patterns of logins. */
@NullMarked
package dev.gatehouse.gateway.admin.analytics;

import org.jspecify.annotations.NullMarked;
