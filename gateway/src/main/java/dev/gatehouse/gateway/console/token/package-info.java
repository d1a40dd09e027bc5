/** The console's pages for tokens that make one-time passwords. */
@NullMarked
package dev.gatehouse.gateway.console.token;

import org.jspecify.annotations.NullMarked;
