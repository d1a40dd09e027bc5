package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.authn.WaitingRoom;
import java.util.Optional;

/**
 * A person who entered a user code and is asked now.
 *
 * @param device names the request in {@link DeviceCodes}
 * @param person who entered it
 */
record DeviceConfirmation(String realm, String device, PersonId person, Optional<String> browser)
    implements WaitingRoom.Waits {}
