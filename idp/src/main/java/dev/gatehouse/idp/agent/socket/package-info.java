/** A Unix socket at which programs of this host, such as PAM's helper, ask about passcodes. */
@NullMarked
package dev.gatehouse.idp.agent.socket;

import org.jspecify.annotations.NullMarked;
