/** How many samples the long run takes, which `.ci/run` asks for: from here on what takes long and seldom changes runs too. */
export const samplesOfLongRun = 5;
