/**
 * Form fill: an app's own login form is found in its page (HTML 4.10.21, form submission), filled with a person's credentials
 * and made into the request that a browser would send. Only logic: what talks to apps is in {@code netty}, what keeps
 * credentials in {@code sp.secret}. The only home of jsoup.
 */
@NullMarked
package dev.gatehouse.gateway.fill;

import org.jspecify.annotations.NullMarked;
