package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.otp.PasscodeCheck;
import java.util.Optional;

/** The checks of passcodes by realm; a realm without tokens has none, so that nobody is let in. */
@FunctionalInterface
public interface Passcodes {

  /** @param visitors whether people of other realms may come in, too */
  Optional<PasscodeCheck> of(Realm realm, boolean visitors);
}
