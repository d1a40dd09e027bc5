/** Tests of the identity provider: its protocols in process, its edge over real sockets. */
@NullMarked
package dev.gatehouse.idp;

import org.jspecify.annotations.NullMarked;
