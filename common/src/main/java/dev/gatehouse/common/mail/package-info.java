/**
 * Mail to people and administrators (RFC 5322 by SMTP, RFC 5321): texts, a queue in the database, and delivery in the background. No
 * request waits for a mail server. The only package that uses Jakarta Mail.
 */
@NullMarked
package dev.gatehouse.common.mail;

import org.jspecify.annotations.NullMarked;
