/** {@code /admin/v1/logs}: levels of loggers, changed at run time for a while. */
@NullMarked
package dev.gatehouse.gateway.admin.log;

import org.jspecify.annotations.NullMarked;
