/** Tests of clients, and clients for other tests. */
@NullMarked
package dev.gatehouse.idp.oauth.client;

import org.jspecify.annotations.NullMarked;
