package dev.gatehouse.idp.authn;

import java.util.Optional;

/**
 * A password that must be changed before its login is complete: the proof that the old one was correct.
 *
 * @param loginName as spelled in the directory
 * @param browser hash of the {@link BrowserBinding} in which it was typed
 * @param pending the waiting sign-on
 */
public record PasswordTask(String realm, String loginName, String browser, Optional<String> pending) {}
