/** People at the system's Chromium, for tests of what they see and of what a browser does with cookies on the way. */
@NullMarked
package dev.gatehouse.gateway.browser;

import org.jspecify.annotations.NullMarked;
