/** The register of people who may have tokens: its synchronisation with the directory, by administrators and by schedule. */
@NullMarked
package dev.gatehouse.idp.otp.people;

import org.jspecify.annotations.NullMarked;
