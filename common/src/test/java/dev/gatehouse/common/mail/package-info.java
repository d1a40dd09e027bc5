/** Tests of mail with a real SMTP server. */
@NullMarked
package dev.gatehouse.common.mail;

import org.jspecify.annotations.NullMarked;
