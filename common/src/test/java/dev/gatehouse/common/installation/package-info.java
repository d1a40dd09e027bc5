/** Tests of the identity and generation of an installation. */
@NullMarked
package dev.gatehouse.common.installation;

import org.jspecify.annotations.NullMarked;
