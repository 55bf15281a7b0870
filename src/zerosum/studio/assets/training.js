export const training = { show(place) { place.replaceChildren(); } };
