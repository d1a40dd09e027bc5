/**
 * Form fill: finds an app's own login form in its page (HTML 4.10.21, form submission), fills it with a person's
 * credentials, and builds the request that a browser would send. Contains only logic: {@code netty} communicates with
 * apps, and {@code sp.secret} stores credentials. Only this package uses jsoup.
 */
@NullMarked
package dev.gatehouse.gateway.fill;

import org.jspecify.annotations.NullMarked;
