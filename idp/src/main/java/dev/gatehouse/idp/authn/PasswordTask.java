package dev.gatehouse.idp.authn;

import java.util.Optional;

/**
 * A password that has to be changed before its login counts: proof that the old one was right a moment ago.
 *
 * @param loginName as the directory spells it
 * @param browser hash of the {@link BrowserBinding} that typed it
 * @param pending the sign-on that waits
 */
public record PasswordTask(String realm, String loginName, String browser, Optional<String> pending) {}
